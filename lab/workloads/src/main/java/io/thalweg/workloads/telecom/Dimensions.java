// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

/** The 62 dimensions of a record: what {@code GROUP BY} all of them goes by. */
public record Dimensions(
        Probe.Cell cell,
        Probe.Device device,
        Probe.Subscriber subscriber,
        Probe.Service service,
        Probe.Session session) {}
