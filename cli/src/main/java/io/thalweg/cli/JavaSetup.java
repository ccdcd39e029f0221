// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** How Java was set up by {@code --jvm}. The launcher reads the option too, since Java takes its own only before it starts. */
final class JavaSetup {
    /** What the launcher was asked for, if it was. */
    private static final String ASKED = "thalweg.jvm";

    private static final List<String> COLLECTORS = List.of("Serial", "Parallel", "G1", "Z", "Shenandoah", "Epsilon");

    private JavaSetup() {}

    static void check(String jvm) {
        if (!jvm.equals("throughput") && !jvm.equals("latency")) {
            throw new UsageException("--jvm is throughput or latency, not " + jvm);
        }
        if (!jvm.equals(System.getProperty(ASKED))) {
            throw new UsageException("--jvm " + jvm + " is for the launcher thalweg; here Java runs already: "
                    + "give it the options of its own, see the guide");
        }
    }

    /** {@code Java 17.0.15: Parallel collector, heap up to 12,056 MiB, young generation up to 128 MiB}. */
    static String line() {
        String collector = COLLECTORS.stream()
                .filter(each -> flag("Use" + each + "GC").equals("true"))
                .findFirst()
                .orElse("unknown");
        // ZGC and Shenandoah size generations by themselves, if they have any.
        String young = List.of("Serial", "Parallel", "G1").contains(collector)
                ? String.format(", young generation up to %,d MiB", Long.parseLong(flag("MaxNewSize")) >> 20)
                : "";
        return String.format(
                "Java %s: %s collector, heap up to %,d MiB%s",
                System.getProperty("java.version"),
                collector,
                Runtime.getRuntime().maxMemory() >> 20,
                young);
    }

    /** Its value, or nothing where this Java has no such option. */
    private static String flag(String name) {
        try {
            HotSpotDiagnosticMXBean hotSpot = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            return hotSpot == null ? "" : hotSpot.getVMOption(name).getValue();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
