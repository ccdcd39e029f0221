// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

/** A type that has no codec, or bytes that are not what a codec wrote. */
public final class CodecException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CodecException(String message) {
        super(message);
    }
}
