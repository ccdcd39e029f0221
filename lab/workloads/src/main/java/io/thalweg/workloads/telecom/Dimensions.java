// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

/** The 62 dimensions of a record: what {@code GROUP BY} all of them goes by. */
public record Dimensions(
        Probe.Cell cell,
        Probe.Device device,
        Probe.Subscriber subscriber,
        Probe.Service service,
        Probe.Session session) {

    /** Goes by what tells most, a dimension or two of each part: to tell two rows apart is then left to equals. */
    @Override
    public int hashCode() {
        int hash = cell.cellId().hashCode();
        hash = 31 * hash + device.deviceTac();
        hash = 31 * hash + subscriber.imsiBucket();
        hash = 31 * hash + service.app().hashCode();
        hash = 31 * hash + session.recordType();
        return 31 * hash + session.causeClose();
    }
}
