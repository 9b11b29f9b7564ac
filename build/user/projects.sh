# Projects outside the tree's own settings, for the checks that use the library as a user would. Sourced, from the root.

# the output of Builders.fs and Door.cs
builders="7 7 2 2 2 2 12 3 6 2 3 4 4 1,2,no disposed,stopped,disposed,stopped,disposed"
door="3 4 7 9 3 4 forgotten late rented 5 6"

# The SDK with the Makefile's settings for compilers.
# shellcheck disable=SC2086
sdk() { env ${COMPILER_RUNTIME:-} dotnet "$@"; }

fresh() { # folder
  rm -rf "$1" && mkdir -p "$1"
  cp global.json "$1/"
  printf '<Project />\n' | tee "$1/Directory.Build.props" "$1/Directory.Build.targets" "$1/Directory.Packages.props" > /dev/null
}

# $feed: a folder of packages beside the machine's own. $extra: other properties than those of a plain program.
project() { # file items sources...
  local file=$1 items=$2 source
  shift 2
  mkdir -p "$(dirname "$file")"
  {
    echo '<Project Sdk="Microsoft.NET.Sdk">'
    echo '  <PropertyGroup>'
    echo '    <TargetFramework>net10.0</TargetFramework>'
    echo '    <Nullable>enable</Nullable>'
    echo '    <ImplicitUsings>enable</ImplicitUsings>'
    echo '    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>'
    echo '    <MSBuildTreatWarningsAsErrors>true</MSBuildTreatWarningsAsErrors>'
    echo '    <EnableDefaultCompileItems>false</EnableDefaultCompileItems>'
    echo '    <NuGetAudit>false</NuGetAudit>'
    echo "    ${extra:-<OutputType>Exe</OutputType>}"
    echo "    <RestorePackagesPath>$PWD/$work/packages</RestorePackagesPath>"
    [ -z "${feed:-}" ] || echo "    <RestoreAdditionalProjectSources>$PWD/$feed</RestoreAdditionalProjectSources>"
    echo '  </PropertyGroup>'
    echo '  <ItemGroup>'
    for source in "$@"; do echo "    <Compile Include=\"$PWD/build/user/$source\" />"; done
    echo "    $items"
    echo '  </ItemGroup>'
    echo '</Project>'
  } > "$file"
}

# A program in $work/User that uses every builder and the C# door, as built from the tree: $publish says how it is published. The
# trimmer reads every public member of the libraries, and not only those that the program calls.
user_program() {
  # IL2040: FSharp.Core lists resources of its own for removal that it does not have, in every program that is trimmed.
  # --reflectionfree: F# gives records and unions a ToString that formats by reflection, which no trimmer can follow.
  # The built libraries, not their projects: a publish for one runtime would restore a project anew.
  local reference="" root=""
  for library in Plait Plait.ThreadPool; do
    reference+="<Reference Include=\"$PWD/artifacts/bin/$library/release_net10.0/$library.dll\" /> "
    root+="<TrimmerRootAssembly Include=\"$library\" RootMode=\"library\" /> "
  done
  sdk build src/Plait.ThreadPool -c Release -v q --nologo -nodeReuse:false
  extra='<IsTrimmable>true</IsTrimmable><OtherFlags>$(OtherFlags) --reflectionfree</OtherFlags>' \
    project "$work/Builders/Builders.fsproj" "$reference" Builders.fs Bytes.fs
  extra="<OutputType>Exe</OutputType>
    <DefineConstants>\$(DefineConstants);BUILDERS</DefineConstants>
    <TrimMode>full</TrimMode>
    <TrimmerSingleWarn>false</TrimmerSingleWarn>
    <NoWarn>\$(NoWarn);IL2040</NoWarn>
    $publish" \
    project "$work/User/User.csproj" \
      "$reference $root <ProjectReference Include=\"../Builders/Builders.fsproj\" />" \
      Door.cs Program.cs
}
