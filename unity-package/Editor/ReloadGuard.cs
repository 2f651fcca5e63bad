using UnityEditor;

namespace Sinew.Editor
{
    /// <summary>
    /// Destroys native objects before scripts are reloaded: a reload forgets the C# side, while the
    /// native library and its memory stay until the Editor is closed.
    /// </summary>
    internal static class ReloadGuard
    {
        [InitializeOnLoadMethod]
        private static void Install()
        {
            AssemblyReloadEvents.beforeAssemblyReload -= SinewRuntime.ReleaseAll;
            AssemblyReloadEvents.beforeAssemblyReload += SinewRuntime.ReleaseAll;
        }
    }
}
