# Conan 2: `conan create .` in the unpacked archive makes a package of the libraries in it.
from conan import ConanFile
from conan.tools.files import copy


class Sinew(ConanFile):
    name = "sinew"
    version = "@VERSION@"
    description = "Inverse kinematics for characters"
    license = "MIT OR Apache-2.0"
    topics = ("inverse-kinematics", "animation", "gamedev")
    settings = "os", "arch"
    package_type = "library"
    options = {"shared": [True, False]}
    default_options = {"shared": True}
    exports_sources = "include/*", "lib/*", "bin/*", "LICENSE-*", "THIRD-PARTY-NOTICES.md"

    def package(self):
        # A linker that finds both kinds takes the shared one: a package has one kind.
        other = ["*.a"] if self.options.shared else ["*.so", "*.so.*", "*.dylib", "*.dll", "*.dll.a"]
        if self.settings.os == "Windows" and self.options.shared:
            other = ["libsinew.a"]
        for folder in ("include", "lib", "bin"):
            copy(self, f"{folder}/*", self.source_folder, self.package_folder, excludes=[*other, "*/cmake/*", "*/pkgconfig/*"])
        copy(self, "LICENSE-*", self.source_folder, f"{self.package_folder}/licenses")
        copy(self, "THIRD-PARTY-NOTICES.md", self.source_folder, f"{self.package_folder}/licenses")

    def package_info(self):
        self.cpp_info.libs = ["sinew"]
        self.cpp_info.set_property("cmake_file_name", "Sinew")
        self.cpp_info.set_property("cmake_target_name", "Sinew::sinew")
        self.cpp_info.set_property("pkg_config_name", "sinew")
        if not self.options.shared:
            self.cpp_info.system_libs = "@NATIVE_LIBRARIES@".split(";")
        elif self.settings.os == "Windows":
            self.cpp_info.defines = ["SINEW_DLL"]
