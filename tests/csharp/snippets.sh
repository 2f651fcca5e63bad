#!/bin/sh
# snippets.sh OUT.cs: the C# that the manual shows, as one file to be compiled.
#
# A snippet with a class stands in a namespace of its own; other snippets become methods of a
# component that has what they name.
set -eu
out=${1:?usage: snippets.sh OUT.cs}
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
awk '
function finish() {
    print "namespace Manual" ++count "\n{"
    if (code ~ /class /) printf "%s", code
    else if (code ~ /^using Animator/) printf "%s    public class Ported { public Animator animator; }\n", code
    else {
        print "    using System;\n    using Sinew;\n    using Sinew.Interop;\n    using UnityEngine;"
        print "    public unsafe class Fragment : MonoBehaviour\n    {"
        print "        public int[] parents; public SinewTransform[] rest; public string[] names; public int tip;"
        print "        public Transform tailTip, target, otherHandle, hand, foot; public SinewBody body; public Vector3 mousePoint;"
        if (code !~ /animator = /) print "        public SinewAnimator animator;"
        printf "        public void Run()\n        {\n%s        }\n    }\n", code
    }
    print "}"
}
FNR == 1 { open = 0 }
/^```csharp$/ { open = 1; code = ""; print "// " FILENAME; next }
/^```$/ && open { open = 0; finish(); next }
open { code = code $0 "\n" }
' README.md docs/*.md docs/start/*.md bindings/csharp/README.md unity-package/README.md unity-package/Documentation~/*.md >"$out"
