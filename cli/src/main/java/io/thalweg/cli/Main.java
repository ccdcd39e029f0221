// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Where {@code ./thalweg} begins: hands the arguments to the command they name and exits with its code. */
@Command(
        name = "thalweg",
        description = "Runs a topology inside one JVM at the speed of the machine.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class)
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    /** Reads the version that the build wrote into this jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"thalweg " + (version == null ? "(not from a jar)" : version)};
        }
    }
}
