// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.kafka.CrashJob;
import io.thalweg.kafka.LostWorkerContract;
import io.thalweg.run.Restart;
import io.thalweg.run.RunningJob;
import io.thalweg.testkit.FreePort;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A standalone cluster whose TaskManagers are killed, one by one, while its JobManager lives. */
@DisabledOnOs(OS.WINDOWS)
final class FlinkLostWorkerTest extends LostWorkerContract {
    private static final int TASK_MANAGERS = 3;

    @TempDir
    private Path home;

    private String address;

    @BeforeEach
    void startCluster() throws Exception {
        int port = FreePort.find();
        new FlinkCluster().start(home, TASK_MANAGERS, port);
        address = "127.0.0.1:" + port;
    }

    @AfterEach
    void stopCluster() throws Exception {
        new FlinkCluster().stop(home);
    }

    @Override
    protected RunningJob start(String[] arguments) {
        return new FlinkRunner(
                        CrashJob.settings(arguments).withRestart(Restart.fixed(50, Duration.ofMillis(500))),
                        address,
                        List.of(),
                        true,
                        ClusterKeys.read(home, address))
                .start(CrashJob.topology(arguments).graph());
    }

    @Override
    protected int losses() {
        return TASK_MANAGERS - 1;
    }

    /** The JobManager is the first process. */
    @Override
    protected void lose(int loss) throws Exception {
        ProcessHandle last = FlinkCluster.running(home).get(TASK_MANAGERS - loss);
        last.destroyForcibly();
        last.onExit().get();
    }
}
