// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import io.thalweg.api.codec.Signatures;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a function returns null where a value is required. The message says which function returned null, for which
 * record, and what to do. It fails the job; to count and keep such records instead, have the function throw {@link
 * BadRecordException}. The static factories are for runners.
 */
public final class NullValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int MOST_SHOWN = 200;

    /** An exception with this message. */
    public NullValueException(String message) {
        this(message, null);
    }

    /** An exception with this message and a cause. */
    public NullValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** A function returned null. */
    private static NullValueException of(
            String givenTo, Serializable function, @Nullable Object record, String advice) {
        return new NullValueException(Signatures.describe(function) + ", given to " + givenTo
                + ", returned null for record " + shown(record) + "; " + advice);
    }

    /** The function given to {@code keyBy} returned null for a record. */
    public static NullValueException ofKey(Serializable function, Object record) {
        return of(
                "keyBy",
                function,
                record,
                "leave records without a key out with filter, give them a key of their own, or throw BadRecordException"
                        + " to count and keep them");
    }

    /** The function given to {@code map} returned null for a record. */
    public static NullValueException ofMap(Serializable function, Object record) {
        return of("map", function, record, "leave records out with filter, or throw BadRecordException");
    }

    /** The function given to {@code flatMap} returned null for a record, or a null among the results. */
    public static NullValueException ofFlatMap(Serializable function, @Nullable Object record) {
        return of("flatMap", function, record, "return an empty list for none, and no nulls in it");
    }

    /** The function given to {@code async()} returned null instead of a stage. */
    public static NullValueException ofAsync(String function, Object record) {
        return new NullValueException(function + ", given to async(), returned null for record " + shown(record)
                + "; return a CompletionStage, which may be completed with null for no result");
    }

    /** The function given to {@code coGroup} returned null for a group, or a null among the results. */
    public static NullValueException ofCoGroup(Serializable function, Object group) {
        return of("coGroup", function, group, "return an empty list for none, and no nulls in it");
    }

    /** An operator emitted null. */
    public static NullValueException ofEmit() {
        return new NullValueException("the operator emitted null; emit nothing instead");
    }

    /** An operator wrote null to a state. */
    public static NullValueException ofState(String state) {
        return new NullValueException(
                "state '" + state + "' was given null; to take values away, use clear() or remove()");
    }

    /**
     * Adds to a {@code NullValueException} which result of a window was being computed; returns any other throwable
     * unchanged.
     */
    public static Throwable inWindow(Throwable thrown, Object key, long start, long end) {
        if (!(thrown instanceof NullValueException missing)) {
            return thrown;
        }
        String window = end == Long.MAX_VALUE ? "the whole input" : "the window from " + start + " to " + end;
        return missing.with("key " + shown(key) + ", " + window);
    }

    /** The record as text for a message, truncated to 200 characters. */
    public static String shown(@Nullable Object record) {
        String text = String.valueOf(record);
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }

    /** A copy of this exception whose message also says where it happened. */
    public NullValueException with(String where) {
        return new NullValueException(getMessage() + " (" + where + ")", this);
    }
}
