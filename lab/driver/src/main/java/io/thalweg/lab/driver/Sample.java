// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

/**
 * What one JVM had counted at one moment.
 *
 * @param timeNs on the clock of {@link System#nanoTime}, which on Linux all processes of a machine share
 * @param sent records that sources sent
 * @param sumSent the sum of their numbers, by formula from how many each source task sent, or as read from outside
 * @param received records that sinks took in
 * @param sumReceived the sum of their numbers
 * @param damaged records whose content was not what was sent
 * @param heapBytes heap in use
 * @param gcCount collections since the JVM started
 * @param gcMs time in collections since the JVM started
 * @param longestGcMs the longest of them
 * @param allocatedBytes that threads have allocated since the meters were opened; below 0 if the JVM does not count
 */
public record Sample(
        long timeNs,
        long sent,
        long sumSent,
        long received,
        long sumReceived,
        long damaged,
        long heapBytes,
        long gcCount,
        long gcMs,
        long longestGcMs,
        long allocatedBytes) {

    public static final Sample NOTHING = new Sample(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static final int FIELDS = 11;

    /** Adds up what two JVMs counted; the time is the later one. */
    public Sample plus(Sample other) {
        return new Sample(
                Math.max(timeNs, other.timeNs),
                sent + other.sent,
                sumSent + other.sumSent,
                received + other.received,
                sumReceived + other.sumReceived,
                damaged + other.damaged,
                heapBytes + other.heapBytes,
                gcCount + other.gcCount,
                gcMs + other.gcMs,
                Math.max(longestGcMs, other.longestGcMs),
                allocatedBytes < 0 || other.allocatedBytes < 0
                        ? Allocations.UNKNOWN
                        : allocatedBytes + other.allocatedBytes);
    }

    String line() {
        return timeNs + " " + sent + " " + sumSent + " " + received + " " + sumReceived + " " + damaged + " "
                + heapBytes + " " + gcCount + " " + gcMs + " " + longestGcMs + " " + allocatedBytes + " .";
    }

    /** A line being written may be read half; its full stop says that it is whole. */
    static boolean isWhole(String line) {
        return line.endsWith(" .");
    }

    /** Reads a whole line back. */
    public static Sample parse(String line) {
        String[] fields = line.split(" ");
        if (fields.length != FIELDS + 1) {
            throw new IllegalArgumentException("not a sample: " + line);
        }
        long[] values = new long[FIELDS];
        for (int i = 0; i < FIELDS; i++) {
            values[i] = Long.parseLong(fields[i]);
        }
        return new Sample(
                values[0],
                values[1],
                values[2],
                values[3],
                values[4],
                values[5],
                values[6],
                values[7],
                values[8],
                values[9],
                values[10]);
    }
}
