namespace Sinew
{
    /// <summary>Folders of the package in the project.</summary>
    internal static class SinewHelp
    {
        /// <summary>Folder of the manual's pages, which are no assets; see <see
        /// cref="ManualPageAttribute"/>.</summary>
        internal const string Pages = "Packages/com.sinew.ik/Documentation~/";

        /// <summary>Folder of the components' icons: <c>[Icon(SinewHelp.Icons +
        /// "SinewChain.png")]</c>.</summary>
        internal const string Icons = "Packages/com.sinew.ik/Editor/Icons/";
    }
}
