// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** What the JDK Flight Recorder sees of this JVM during a run, with the JDK's own settings for profiling. */
final class FlightRecording implements AutoCloseable {
    private final Recording recording;

    /** Begins; the file is there when it is closed, or when the JVM ends, but for one that is killed. */
    FlightRecording(Path file) throws IOException {
        try {
            recording = new Recording(Configuration.getConfiguration("profile"));
        } catch (ParseException e) {
            throw new IOException("the JDK's settings for profiling cannot be read: " + e.getMessage(), e);
        }
        recording.setToDisk(true);
        recording.setDumpOnExit(true);
        recording.setDestination(file);
        recording.start();
    }

    @Override
    public void close() {
        recording.stop();
        recording.close();
    }
}
