using System;

namespace Sinew
{
    /// <summary>
    /// The page of the manual that is about a component: a file of the package's folder
    /// <c>Documentation~</c>, which the component's menu opens. The help button of the Inspector
    /// can only open an address of the web: where the project has one, the generator adds
    /// <c>HelpURL</c> to the class.
    /// </summary>
    [AttributeUsage(AttributeTargets.Class)]
    internal sealed class ManualPageAttribute : Attribute
    {
        internal readonly string File;

        internal ManualPageAttribute(string file)
        {
            File = file;
        }
    }
}
