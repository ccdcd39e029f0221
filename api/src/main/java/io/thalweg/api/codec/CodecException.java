// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

/** A type that has no codec, or bytes that were not written by the codec that reads them. */
public final class CodecException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with this message. */
    public CodecException(String message) {
        super(message);
    }
}
