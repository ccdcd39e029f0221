// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

/**
 * Where and when it was measured.
 *
 * @param started when, in ISO 8601 with UTC
 * @param ceilingRecordsPerS what the harness itself can count a second, with no engine between source and sink
 * @param meterNsPerRecord what counting one record costs
 * @param clockNs what one reading of the clock costs
 */
public record Machine(
        String cpu,
        int cores,
        long memoryMb,
        String os,
        String java,
        String thalweg,
        String started,
        double ceilingRecordsPerS,
        double meterNsPerRecord,
        double clockNs) {}
