// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.testkit.contract.TuneContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("integration")
final class TuneOnStormTest extends TuneContract {
    TuneOnStormTest() {
        super("storm", java(), List.of("parallelism: 1", "producer-batch: 10"));
    }

    private static List<String> java() {
        List<String> java = new ArrayList<>();
        for (String opened : List.of("java.lang", "java.util", "java.nio", "sun.nio.ch", "java.net")) {
            java.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        java.add("-Dlog4j2.configurationFile=classpath:thalweg-storm-log4j2.xml");
        return java;
    }
}
