// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;

/**
 * Runs cells on one engine, written natively. {@link DriverMain} makes one by its constructor without parameters, has it run one
 * cell after the other, and closes it when the lab is done with it or gone. What outlives a cell (a cluster) may stay up until
 * then. One thread calls.
 */
public interface Driver extends AutoCloseable {
    /** The engine's version, as its library states it. */
    String version();

    /**
     * Runs a cell until its sources ended (see {@link Load#ended}) and everything they sent came out.
     *
     * @param cell one that the driver.yaml does not refuse
     * @throws RefusedException if this machine has not what the cell needs; it says why
     * @throws Exception if the run failed; the lab continues with other cells
     */
    void run(Cell cell) throws Exception;

    /** Stops every process and thread that runs of this driver started. */
    @Override
    void close() throws IOException;
}
