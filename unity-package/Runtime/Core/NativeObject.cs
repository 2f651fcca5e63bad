using System;
using System.Threading;
using Sinew.Interop;

namespace Sinew
{
    /// <summary>
    /// Owner of one native object. The 64-bit handle lives in its own field, because SafeHandle's
    /// IntPtr has 32 bits on 32-bit players and on the Web. Disposing twice is fine; a forgotten
    /// object is destroyed by its finalizer, which the native side allows from any thread.
    /// </summary>
    public abstract class NativeObject : IDisposable
    {
        private long bits;

        internal NativeObject()
        {
        }

        /// <summary>Destroys the native object if <see cref="Dispose"/> was forgotten.</summary>
        ~NativeObject()
        {
            ulong taken = Take();
            if (taken == 0) return;
            if (Destroy(taken) == SinewResult.ErrorBusy && !Environment.HasShutdownStarted)
            {
                bits = (long)taken;
                GC.ReRegisterForFinalize(this);
                return;
            }
            SinewLibrary.Died();
        }

        /// <summary>Whether the native object was destroyed.</summary>
        public bool IsDisposed
        {
            get { return Interlocked.Read(ref bits) == 0; }
        }

        /// <summary>Destroys the native object. What was made from it goes on working.</summary>
        /// <exception cref="SinewException">Another thread is using the object (ErrorBusy); it
        /// stays alive.</exception>
        public void Dispose()
        {
            ulong taken = Take();
            if (taken == 0) return;
            SinewResult result = Destroy(taken);
            if (result == SinewResult.ErrorBusy)
            {
                Interlocked.Exchange(ref bits, (long)taken);
                throw SinewLibrary.Failure(result);
            }
            SinewLibrary.Died();
            GC.SuppressFinalize(this);
        }

        /// <summary>The handle.</summary>
        /// <exception cref="ObjectDisposedException">The object was disposed.</exception>
        private protected ulong Bits
        {
            get
            {
                ulong now = (ulong)Interlocked.Read(ref bits);
                if (now == 0) throw new ObjectDisposedException(GetType().Name);
                return now;
            }
        }

        /// <summary>Takes over a handle just made. Called once, at the end of a
        /// constructor.</summary>
        private protected void Own(ulong handle)
        {
            SinewLibrary.Born();
            Interlocked.Exchange(ref bits, (long)handle);
        }

        /// <summary>
        /// Ends a native call: keeps this object from being finalized while the call ran, and turns
        /// the code into an exception. </summary>
        private protected void Done(SinewResult result)
        {
            GC.KeepAlive(this);
            SinewLibrary.Check(result);
        }

        internal abstract SinewResult Destroy(ulong handle);

        private ulong Take()
        {
            return (ulong)Interlocked.Exchange(ref bits, 0);
        }
    }
}
