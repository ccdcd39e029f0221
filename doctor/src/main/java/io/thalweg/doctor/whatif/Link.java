// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.whatif;

/**
 * A stream between two operators in different tasks.
 *
 * @param from operator that sends
 * @param to operator that receives
 * @param records along it for each record of a source
 * @param sendingNs what handing them over takes the sender, for a record of a source
 * @param takingNs what it takes the receiver
 * @param needless the operators could be fused
 */
public record Link(String from, String to, double records, double sendingNs, double takingNs, boolean needless) {
    double costNs() {
        return sendingNs + takingNs;
    }

    Link times(double factor) {
        return new Link(from, to, records, sendingNs * factor, takingNs * factor, needless);
    }
}
