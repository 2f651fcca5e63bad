using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Sinew.Editor")]
