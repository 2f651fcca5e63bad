/* A library that calls itself Sinew and has another binary interface; for LibraryTests.cs. */
struct version {
    unsigned major, minor, patch, abi;
};

int sinew_version(struct version *out)
{
    out->major = 9;
    out->minor = 8;
    out->patch = 7;
    out->abi = 999;
    return 0;
}
