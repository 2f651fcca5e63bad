using NUnit.Framework;

namespace Sinew.Tests
{
    /// <summary>The native library in the Editor.</summary>
    public sealed class LibraryInEditorTests
    {
        /// <summary>It is found, and is the one this package was made for.</summary>
        [Test]
        public void TheLibraryFitsThePackage()
        {
            SinewLibrary.CheckVersion();
            Assert.AreEqual(0, SinewLibrary.Version.Major);
        }

        /// <summary>No SinewAnimator holds native objects in Edit mode.</summary>
        [Test]
        public void NothingRunsInEditMode()
        {
            Assert.AreEqual(0, SinewRuntime.RunningCount);
        }
    }
}
