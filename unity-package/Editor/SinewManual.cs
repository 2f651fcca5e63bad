using System.IO;
using UnityEditor;
using UnityEngine;

namespace Sinew.Editor
{
    /// <summary>
    /// <i>Manual Page</i> in the menu of each component: opens the page inside the package, which
    /// has the version of the package and needs no web.
    /// </summary>
    internal static class SinewManual
    {
        private const string Item = "/Manual Page";

        [MenuItem("CONTEXT/SinewAim" + Item)]
        [MenuItem("CONTEXT/SinewAnimator" + Item)]
        [MenuItem("CONTEXT/SinewBody" + Item)]
        [MenuItem("CONTEXT/SinewBodyTies" + Item)]
        [MenuItem("CONTEXT/SinewChain" + Item)]
        [MenuItem("CONTEXT/SinewCopyRotation" + Item)]
        [MenuItem("CONTEXT/SinewGoals" + Item)]
        [MenuItem("CONTEXT/SinewGrounder" + Item)]
        [MenuItem("CONTEXT/SinewJointLimits" + Item)]
        [MenuItem("CONTEXT/SinewSpline" + Item)]
        [MenuItem("CONTEXT/SinewTrackedBody" + Item)]
        [MenuItem("CONTEXT/SinewTwoBone" + Item)]
        [MenuItem("CONTEXT/SinewWorld" + Item)]
        internal static void Open(MenuCommand command)
        {
            object[] pages = command.context.GetType().GetCustomAttributes(typeof(ManualPageAttribute), false);
            // The Editor knows where the files of a package are, in a cache or wherever it is.
            string path = Path.GetFullPath(SinewHelp.Pages + ((ManualPageAttribute)pages[0]).File);
            if (File.Exists(path)) EditorUtility.OpenWithDefaultApp(path);
            else Debug.LogWarning("Sinew: there is no manual page at " + path + ": is the package complete?");
        }
    }
}
