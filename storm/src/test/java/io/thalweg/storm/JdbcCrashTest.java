// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.jdbc.CrashJob;
import io.thalweg.jdbc.Killer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Rows into SQLite: On a LocalCluster, in a process that is killed as a whole; with {@code -Pcrash} alone. */
@Timeout(1_800)
@Tag("one-jdk")
@EnabledIfSystemProperty(named = "thalweg.kills", matches = "[0-9]+")
final class JdbcCrashTest {
    private static final int KILLS = Killer.kills(2);

    @TempDir
    private Path folder;

    public static void main(String[] arguments) throws InterruptedException {
        CrashJob.run(
                arguments, (settings, graph) -> StormRunner.local(settings, 1).start(graph));
        System.exit(0); // a thread of Storm's would keep the JVM alive
    }

    @Test
    void shouldLoseNoRow_howeverOftenItIsKilled() throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("items.db");
        new Killer(JdbcCrashTest.class, KilledOnStorm.OPTIONS, folder, url, Guarantee.AT_LEAST_ONCE, (KILLS + 1) / 2)
                .shouldKeepItsPromise();
    }
}
