# Projects outside the tree's own settings, for the checks that use the library as a user would. Sourced, from the root.

# what Builders.fs and Door.cs come to
builders="7 7 2 2 2 2 2 2 12 2 3 disposed"
door="3 4 7 9 3 4 forgotten late rented"

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
