#!/usr/bin/env bash
# Packs Plait and Plait.RuntimeAsync and uses them as a user would: F# 11 on .NET 11 runs it; a project of .NET 10 cannot restore it; F# 10
# on .NET 11, and F# 11 without the preview, end with an error that says why.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=artifacts/runtime-async-check
feed=$work/feed
. build/user/projects.sh
fresh "$work"
mkdir -p "$feed"

fail() {
  echo "Plait.RuntimeAsync's package: $1"
  exit 1
}

version=0.1.0-check.$(date -u +%Y%m%d%H%M%S)
for project in Plait Plait.RuntimeAsync; do
  said=$(sdk pack src/$project -c Release -v q --nologo -nodeReuse:false -p:PackageVersion="$version" -o "$feed" 2>&1) || fail "$said"
done

package=$feed/Plait.RuntimeAsync.$version.nupkg
nuspec=$(unzip -p "$package" Plait.RuntimeAsync.nuspec)
for wanted in 'targetFramework="net11.0"' "id=\"Plait\" version=\"$version\"" 'id="FSharp.Core" version="11.0.101"' '<readme>README.md</readme>'; do
  [[ $nuspec == *"$wanted"* ]] || fail "the nuspec has no $wanted"
done
[ "$(unzip -Z1 "$package" | grep '^lib/' | sort | tr '\n' ' ')" = "lib/net11.0/Plait.RuntimeAsync.dll lib/net11.0/Plait.RuntimeAsync.xml " ] \
  || fail "lib has other files than those of net11.0"

reference="<PackageReference Include=\"Plait.RuntimeAsync\" Version=\"$version\" />"
core='<PackageReference Include="FSharp.Core" Version="11.0.101" />'
implicit='<DisableImplicitFSharpCoreReference>true</DisableImplicitFSharpCoreReference>'
toolchain="<Import Project=\"$PWD/build/fsharp11/FSharp11.props\" />"
net11() { # file, then further properties, behind the settings of F# 11
  local settings='<PropertyGroup><TargetFramework>net11.0</TargetFramework><LangVersion>preview</LangVersion></PropertyGroup>'
  sed -i "s|</Project>|$settings$toolchain<PropertyGroup>${2:-}</PropertyGroup></Project>|" "$1"
}

project "$work/Net10/User.fsproj" "$reference" RuntimeAsync.fs
sed -i "s|</Project>|$toolchain</Project>|" "$work/Net10/User.fsproj"

project "$work/OldCore/User.fsproj" "$reference" RuntimeAsync.fs
net11 "$work/OldCore/User.fsproj" '<DotnetFscCompilerPath></DotnetFscCompilerPath>'

# as F# projects have it, where the warning of the restore is none but a warning
project "$work/OldCoreWarned/User.fsproj" "$reference" RuntimeAsync.fs
net11 "$work/OldCoreWarned/User.fsproj" '<NoWarn>$(NoWarn);NU1605</NoWarn>'

extra="<OutputType>Exe</OutputType>$implicit"
# the path that the SDK sets
project "$work/FSharp10/User.fsproj" "$reference$core" RuntimeAsync.fs
net11 "$work/FSharp10/User.fsproj" '<DotnetFscCompilerPath>"$(MSBuildToolsPath)/FSharp/fsc.dll"</DotnetFscCompilerPath>'

project "$work/NoPreview/User.fsproj" "$reference$core" RuntimeAsync.fs
net11 "$work/NoPreview/User.fsproj" '<LangVersion>11.0</LangVersion>'

project "$work/NoLanguage/User.fsproj" "$reference$core" RuntimeAsync.fs
net11 "$work/NoLanguage/User.fsproj" '<LangVersion></LangVersion>'

project "$work/KeptStep/User.fsproj" "$reference$core" KeptStep.fs
net11 "$work/KeptStep/User.fsproj"

# Two runs of MSBuild for all refused projects: its start takes longer than one of them. Projects that the restore refuses are not built.
cat >"$work/Refused.proj" <<'END'
<Project>
  <ItemGroup>
    <Built Include="OldCoreWarned/User.fsproj;FSharp10/User.fsproj;NoPreview/User.fsproj;NoLanguage/User.fsproj;KeptStep/User.fsproj" />
    <Restored Include="Net10/User.fsproj;OldCore/User.fsproj;@(Built)" />
  </ItemGroup>
  <Target Name="Restore"><MSBuild Projects="%(Restored.FullPath)" Targets="Restore" ContinueOnError="true" /></Target>
  <Target Name="Build"><MSBuild Projects="%(Built.FullPath)" Targets="Build" Properties="Configuration=Release" ContinueOnError="true" /></Target>
</Project>
END
answers=$(for target in Restore Build; do sdk msbuild "$work/Refused.proj" -t:$target -v:q -nologo -nodeReuse:false; done 2>&1) || true

refused() { # project, then the texts that its errors must have
  local project=$1 said wanted
  shift
  said=$(grep -F "$work/$project" <<<"$answers" | grep ' error ') || fail "$project compiled: $answers"
  for wanted in "$@"; do
    [[ $said == *"$wanted"* ]] || fail "$project did not say '$wanted' but: $said"
  done
  echo "Plait.RuntimeAsync's package: $project is refused: $(grep -oE 'error .*' <<<"$said" | sed 's/ \[.*//' | head -1 | cut -c1-160)"
}

refused Net10/User.fsproj NU1202 net11.0
refused OldCore/User.fsproj NU1605 11.0.101
refused OldCoreWarned/User.fsproj 'needs FSharp.Core 11.0.101 or later' 'PackageReference Update'
refused FSharp10/User.fsproj 'needs the compiler of F# 11' 'F# 10'
refused NoPreview/User.fsproj '<LangVersion>preview</LangVersion>' "LangVersion '11.0'"
refused NoLanguage/User.fsproj 'has no LangVersion'
refused KeptStep/User.fsproj FS3918

project "$work/FSharp11/User.fsproj" "$reference$core" RuntimeAsync.fs
net11 "$work/FSharp11/User.fsproj"
for config in Release Debug; do
  said=$(sdk build "$work/FSharp11/User.fsproj" -c $config -v q --nologo -nodeReuse:false 2>&1) || fail "it does not compile: $said"
  seen=$(artifacts/dotnet11/root/dotnet "$work/FSharp11/bin/$config/net11.0/User.dll")
  [ "$seen" = "2 3 4 2 6 on 11" ] || fail "the program in $config printed '$seen'"
  echo "Plait.RuntimeAsync's package: F# 11, $config -> $seen"
done

# who has the package through another project writes no builders of it, and needs no preview of the language
mkdir -p "$work/Indirect"
echo 'System.Console.WriteLine "indirect"' >"$work/Indirect/App.fs"
project "$work/Indirect/App.fsproj" "$core<ProjectReference Include=\"../FSharp11/User.fsproj\" />" "../../$work/Indirect/App.fs"
net11 "$work/Indirect/App.fsproj" '<LangVersion>11.0</LangVersion>'
said=$(sdk build "$work/Indirect/App.fsproj" -c Release -v q --nologo -nodeReuse:false 2>&1) || fail "a project that has it indirectly does not compile: $said"
seen=$(artifacts/dotnet11/root/dotnet "$work/Indirect/bin/Release/net11.0/App.dll")
[ "$seen" = indirect ] || fail "the program that has it indirectly printed '$seen'"
echo "Plait.RuntimeAsync's package: F# 11, through another project -> $seen"

# a library for both runtimes, as the page of the migration has it
cat >"$work/Both.fs" <<'END'
module Both
#if NET11_0_OR_GREATER
open Plait.RuntimeAsync
#else
open Plait.Tasks
#endif

let answer () = task { return 42 }
END
feed=$feed extra='<OutputType>Library</OutputType>' project "$work/Both/Both.fsproj" \
  "$(for item in "$reference" '<PackageReference Update="FSharp.Core" Version="11.0.101" />'; do
    sed "s| />| Condition=\"'\$(TargetFramework)' == 'net11.0'\" />|" <<<"$item"
  done)<PackageReference Include=\"Plait\" Version=\"$version\" Condition=\"'\$(TargetFramework)' == 'net10.0'\" />" \
  "../../$work/Both.fs"
sed -i "s|<TargetFramework>net10.0</TargetFramework>|<TargetFrameworks>net10.0;net11.0</TargetFrameworks><LangVersion Condition=\"'\$(TargetFramework)' == 'net11.0'\">preview</LangVersion>|; s|</Project>|$toolchain</Project>|" "$work/Both/Both.fsproj"
said=$(sdk build "$work/Both/Both.fsproj" -c Release -v q --nologo -nodeReuse:false 2>&1) || fail "a library for both runtimes does not compile: $said"
for framework in net10.0 net11.0; do
  [ -f "$work/Both/bin/Release/$framework/Both.dll" ] || fail "a library for both runtimes has no $framework"
done
echo "Plait.RuntimeAsync's package: a library for net10.0 and net11.0 is built for both"
