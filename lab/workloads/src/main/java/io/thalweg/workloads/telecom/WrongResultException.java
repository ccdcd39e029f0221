// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

/** What came out is not what had to come out. */
public final class WrongResultException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongResultException(String message) {
        super(message);
    }
}
