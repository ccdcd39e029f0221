// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** A user's function, a source or a sink threw: says in which operator and with which current record. */
public final class OperatorException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String operator;
    private final String split;
    private final long offset;
    private final Throwable thrown;

    public OperatorException(String operator, String split, long offset, Throwable cause) {
        super(cause);
        this.operator = operator;
        this.split = split;
        this.offset = offset;
        thrown = cause;
    }

    /** The same failure with a more exact position. */
    public OperatorException at(String betterSplit, long betterOffset) {
        return new OperatorException(operator, betterSplit, betterOffset, thrown);
    }

    public Throwable thrown() {
        return thrown;
    }

    public String operator() {
        return operator;
    }

    public String split() {
        return split;
    }

    public long offset() {
        return offset;
    }
}
