// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

/** A text that is not what its reader asks for. Has no stack trace: bad records may be many. */
public final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int offset;

    /**
     * @param reason what is wrong, in a few words, for the user
     * @param offset in bytes from the beginning of the text
     */
    public MalformedException(String reason, int offset) {
        super(reason, null, false, false);
        this.offset = offset;
    }

    /** A text that is not UTF-8, from this byte on. */
    public static MalformedException invalidUtf8(int offset) {
        return new MalformedException("byte " + offset + ": invalid UTF-8", offset);
    }

    /** Where it went wrong, in bytes from the beginning of the text. */
    public int offset() {
        return offset;
    }
}
