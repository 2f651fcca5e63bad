namespace Sinew
{
    /// <summary>Addresses of the manual, one page per component: <c>[HelpURL(SinewHelp.Pages +
    /// "sinew-chain.md")]</c>.</summary>
    internal static class SinewHelp
    {
        /// <summary>Folder of the manual's pages; the same as in package.json.</summary>
        internal const string Pages = "https://sinew.example/unity-package/Documentation~/";

        /// <summary>Folder of the components' icons: <c>[Icon(SinewHelp.Icons +
        /// "SinewChain.png")]</c>.</summary>
        internal const string Icons = "Packages/com.sinew.ik/Editor/Icons/";
    }
}
