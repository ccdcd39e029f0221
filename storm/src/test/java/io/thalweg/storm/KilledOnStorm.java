// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.util.List;

/** What processes with a LocalCluster of their own need that a test kills. */
final class KilledOnStorm {
    static final List<String> OPTIONS = List.of(
            "-Xmx384m",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.net=ALL-UNNAMED");

    private KilledOnStorm() {}
}
