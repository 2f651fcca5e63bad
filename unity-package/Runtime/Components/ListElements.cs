using System.Collections.Generic;

namespace Sinew
{
    /// <summary>A line of a list in the Inspector.</summary>
    internal interface IListElement
    {
        /// <summary>Whether every field is zero: nobody has set it, since some of its fields must
        /// not be zero, or it does nothing.</summary>
        bool IsBlank { get; }
    }

    /// <summary>
    /// Gives new lines of lists their defaults. The Inspector's + on an empty list makes a line
    /// whose fields are all zero: Unity runs no constructor for it (its later lines are copies of
    /// the last one).
    /// </summary>
    internal static class ListElements
    {
        /// <summary>Replaces blank lines; called in OnValidate.</summary>
        internal static void Fill<T>(IList<T> list) where T : class, IListElement, new()
        {
            for (int i = 0; list != null && i < list.Count; i++)
                if (list[i] != null && list[i].IsBlank) list[i] = new T();
        }
    }
}
