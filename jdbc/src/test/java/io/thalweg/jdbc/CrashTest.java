// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.api.connector.Guarantee;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows into PostgreSQL on the embedded engine, while the server restarts now and then. */
@Timeout(3_600)
@Tag("one-jdk")
@Tag("crash")
final class CrashTest {
    private static final int KILLS = Killer.kills(6);
    private static final int SERVER_EVERY = 3;

    @TempDir
    Path folder;

    @Test
    void shouldWriteEachRowOnce_howeverOftenItIsKilled() throws Exception {
        Assumptions.assumeTrue(TestPostgres.missing().isEmpty(), TestPostgres.missing());
        try (TestPostgres server = TestPostgres.start()) {
            new Killer(CrashJob.class, List.of("-Xmx256m"), folder, server.database(), Guarantee.EXACTLY_ONCE, KILLS)
                    .shouldKeepItsPromise(SERVER_EVERY, () -> {
                        server.kill();
                        server.begin();
                    });
        }
    }
}
