using System;
using Sinew.Interop;
using UnityEngine;

namespace Sinew
{
    /// <summary>The problem that one object has: logged once while it lasts, not in every
    /// frame.</summary>
    internal struct ProblemLog
    {
        private string last;

        /// <summary>Logs an exception with the object it is about, unless it is the one of the last
        /// call. <paramref name="consequence"/> is a sentence for what the library
        /// refuses.</summary>
        internal void Add(Exception e, UnityEngine.Object about, string consequence)
        {
            SinewException refusal = e as SinewException;
            string what = refusal != null ? e.Message : e.GetType().Name + ": " + e.Message;
            if (!IsNew(what)) return;
            if (refusal == null) Debug.LogException(e, about);
            else Debug.LogError(about.GetType().Name + " on '" + about.name + "': " + e.Message + ". " + consequence, about);
        }

        /// <summary>The same of what is about no object.</summary>
        internal void Add(Exception e)
        {
            if (IsNew(e.GetType().Name + ": " + e.Message)) Debug.LogException(e);
        }

        private bool IsNew(string what)
        {
            bool isNew = what != last;
            last = what;
            return isNew;
        }

        /// <summary>Whether an exception means that the native object can only be
        /// destroyed.</summary>
        internal static bool IsFatal(Exception e)
        {
            SinewException refusal = e as SinewException;
            return refusal != null && (refusal.Result == SinewResult.ErrorPanic || refusal.Result == SinewResult.ErrorPoisoned);
        }

        /// <summary>The object works: the next problem is logged, whatever it is.</summary>
        internal void Clear()
        {
            last = null;
        }
    }
}
