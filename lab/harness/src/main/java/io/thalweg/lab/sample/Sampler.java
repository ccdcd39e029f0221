// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.sample;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.hardware.NetworkIF;
import oshi.software.os.OSProcess;
import oshi.software.os.OperatingSystem;

/** Looks once a second at a process and all that descend from it. Close it to get what it saw. */
public final class Sampler implements AutoCloseable {
    private static final SystemInfo SYSTEM = new SystemInfo();

    private final OperatingSystem os = SYSTEM.getOperatingSystem();
    private final CentralProcessor processor = SYSTEM.getHardware().getProcessor();
    private final List<NetworkIF> loopback = loopback();
    private final List<ProcessSample> samples = new ArrayList<>();
    private final Map<Integer, OSProcess> last = new HashMap<>();
    private final ProcessHandle root;
    private final Thread thread;
    private double cpuMsOfEnded;
    private volatile boolean closed;

    public Sampler(ProcessHandle root) {
        this.root = root;
        thread = new Thread(this::run, "sampler");
        thread.setDaemon(true);
        thread.start();
    }

    /** Memory of the machine that can be had without swapping. */
    public static long availableBytes() {
        return SYSTEM.getHardware().getMemory().getAvailable();
    }

    private static List<NetworkIF> loopback() {
        return SYSTEM.getHardware().getNetworkIFs(true).stream()
                .filter(each -> each.getName().equals("lo"))
                .toList();
    }

    private void run() {
        while (!closed) {
            look();
            try {
                Thread.sleep(1_000);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void look() {
        synchronized (samples) {
            samples.add(sample());
        }
    }

    private ProcessSample sample() {
        List<Integer> pids = new ArrayList<>(List.of((int) root.pid()));
        root.descendants().forEach(each -> pids.add((int) each.pid()));
        Map<Integer, OSProcess> now = new HashMap<>();
        os.getProcesses(pids).forEach(each -> now.put(each.getProcessID(), each));
        last.forEach((pid, process) -> {
            if (!now.containsKey(pid)) {
                cpuMsOfEnded += process.getKernelTime() + process.getUserTime();
            }
        });
        last.clear();
        last.putAll(now);
        double cpuMs = cpuMsOfEnded;
        long switches = 0;
        long rss = 0;
        long threads = 0;
        for (OSProcess each : now.values()) {
            cpuMs += each.getKernelTime() + each.getUserTime();
            switches += contextSwitches(each.getProcessID());
            rss += each.getResidentMemory();
            threads += each.getThreadCount();
        }
        long[] ticks = processor.getSystemCpuLoadTicks();
        long allTicks = 0;
        for (long each : ticks) {
            allTicks += each;
        }
        long bytes = 0;
        for (NetworkIF each : loopback) {
            each.updateAttributes();
            bytes += each.getBytesRecv();
        }
        return new ProcessSample(
                System.nanoTime(),
                cpuMs,
                rss,
                switches,
                threads,
                ticks[TickType.IDLE.getIndex()] + ticks[TickType.IOWAIT.getIndex()],
                ticks[TickType.STEAL.getIndex()],
                allTicks,
                bytes,
                processor.getSystemLoadAverage(1)[0]);
    }

    /** Of all threads of a process that live; /proc/PID/status, which oshi reads, knows only those of the first. */
    private static long contextSwitches(int pid) {
        long switches = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                for (String line : Files.readAllLines(thread.resolve("status"))) {
                    if (line.contains("voluntary_ctxt_switches:")) {
                        switches += Long.parseLong(
                                line.substring(line.indexOf(':') + 1).strip());
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return switches; // it has ended, or this is not Linux
        }
        return switches;
    }

    /** All samples so far, oldest first, the last one of now: what was used since the one before counts too. */
    public List<ProcessSample> samples() {
        synchronized (samples) {
            look();
            return List.copyOf(samples);
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    public static String cpu() {
        return SYSTEM.getHardware().getProcessor().getProcessorIdentifier().getName();
    }

    public static long memoryMb() {
        HardwareAbstractionLayer hardware = SYSTEM.getHardware();
        return hardware.getMemory().getTotal() >> 20;
    }
}
