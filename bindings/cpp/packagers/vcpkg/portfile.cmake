# A port for vcpkg's --overlay-ports. It takes the folder of an unpacked archive, which the variable
# SINEW_SDK names. Nothing has run it: vcpkg is not to be had where the packages are made.
set(sdk "$ENV{SINEW_SDK}")
if(NOT EXISTS "${sdk}/include/sinew/sinew.h")
    message(FATAL_ERROR "SINEW_SDK must name the folder of an unpacked sinew archive")
endif()

file(INSTALL "${sdk}/include" DESTINATION "${CURRENT_PACKAGES_DIR}")
file(INSTALL "${sdk}/lib" DESTINATION "${CURRENT_PACKAGES_DIR}")
if(EXISTS "${sdk}/bin")
    file(INSTALL "${sdk}/bin" DESTINATION "${CURRENT_PACKAGES_DIR}")
endif()
file(INSTALL "${sdk}/lib" DESTINATION "${CURRENT_PACKAGES_DIR}/debug" PATTERN "cmake" EXCLUDE PATTERN "pkgconfig" EXCLUDE)
# The CMake files find the libraries two folders above themselves.
file(RENAME "${CURRENT_PACKAGES_DIR}/lib/cmake/Sinew" "${CURRENT_PACKAGES_DIR}/lib/cmake/sinew")
vcpkg_install_copyright(FILE_LIST "${sdk}/LICENSE-MIT" "${sdk}/LICENSE-APACHE" "${sdk}/THIRD-PARTY-NOTICES.md")
