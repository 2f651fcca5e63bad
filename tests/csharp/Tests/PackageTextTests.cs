using System;
using System.Collections.Generic;
using System.IO;
using System.Text.RegularExpressions;
using NUnit.Framework;

namespace Sinew.Tests
{
    /// <summary>Links and addresses in the package's texts lead somewhere for a user who has the
    /// package alone.</summary>
    public sealed class PackageTextTests
    {
        // Names that nobody can register: RFC 2606 and RFC 6761.
        private static readonly Regex reserved = new Regex(
            @"https?://(?:[\w-]+\.)*(?:example(?:\.com|\.org|\.net)?|test|invalid|localhost)(?=[/:""')\s]|$)", RegexOptions.IgnoreCase);

        private static readonly Regex link = new Regex(@"\]\(([^)\s]+)\)");

        // A page of the repository's docs folder.
        private static readonly Regex repositoryPage = new Regex(@"\bdocs/[\w./-]+\.md");

        private static string Package
        {
            get { return Path.GetFullPath(Path.Combine(Path.GetDirectoryName(Environment.GetEnvironmentVariable("SINEW_GOLDEN_HASHES")), "../../unity-package")); }
        }

        private static IEnumerable<string> Texts(params string[] endings)
        {
            foreach (string path in Directory.GetFiles(Package, "*", SearchOption.AllDirectories))
                if (Array.IndexOf(endings, Path.GetExtension(path)) >= 0) yield return path;
        }

        [Test]
        public void NoAddressHasAReservedName()
        {
            Assert.IsTrue(reserved.IsMatch("\"url\": \"https://sinew.example/sinew\""), "the pattern");
            Assert.IsTrue(reserved.IsMatch("[HelpURL(\"http://localhost:80/a.md\")]"), "the pattern");
            Assert.IsFalse(reserved.IsMatch("https://sinew.dev/example/a.test"), "the pattern");
            int count = 0;
            foreach (string path in Texts(".cs", ".json", ".md", ".asmdef"))
            {
                count++;
                Match found = reserved.Match(File.ReadAllText(path));
                Assert.IsFalse(found.Success, path + ": " + found.Value);
            }
            Assert.Greater(count, 100);
        }

        [Test]
        public void PagesNeedNothingOutsideThePackage()
        {
            int links = 0;
            foreach (string path in Texts(".md"))
            {
                string text = File.ReadAllText(path);
                Match page = repositoryPage.Match(text);
                Assert.IsFalse(page.Success, path + " sends its readers to " + page.Value + ", which is not in the package");
                foreach (Match match in link.Matches(text))
                {
                    string to = match.Groups[1].Value.Split('#')[0];
                    if (to.Length == 0 || to.Contains("://")) continue;
                    links++;
                    string file = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(path), to));
                    Assert.IsTrue(file.StartsWith(Package) && File.Exists(file), path + ": " + to + " is not in the package");
                }
            }
            Assert.Greater(links, 30);
        }
    }
}
