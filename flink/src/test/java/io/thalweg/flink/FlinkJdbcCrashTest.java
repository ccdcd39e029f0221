// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.jdbc.CrashJob;
import io.thalweg.jdbc.Killer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Rows into SQLite: On Flink, in a process that is killed as a whole: client, JobManager and TaskManager; with {@code -Pcrash} alone. */
@Timeout(1_800)
@Tag("one-jdk")
@EnabledIfSystemProperty(named = "thalweg.kills", matches = "[0-9]+")
final class FlinkJdbcCrashTest {
    private static final int KILLS = Killer.kills(2);

    @TempDir
    private Path folder;

    public static void main(String[] arguments) throws InterruptedException {
        CrashJob.run(
                arguments, (settings, graph) -> FlinkRunner.inThisJvm(settings).start(graph));
    }

    private Killer killer(Guarantee guarantee, int kills) throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("items.db");
        return new Killer(FlinkJdbcCrashTest.class, KilledOnFlink.OPTIONS, folder, url, guarantee, kills);
    }

    @Test
    void shouldWriteEachRowOnce_howeverOftenItIsKilled() throws Exception {
        killer(Guarantee.EXACTLY_ONCE, KILLS).shouldKeepItsPromise();
    }

    @Test
    void shouldLoseNoRow_whereEachMayComeTwice() throws Exception {
        killer(Guarantee.AT_LEAST_ONCE, (KILLS + 1) / 2).shouldKeepItsPromise();
    }
}
