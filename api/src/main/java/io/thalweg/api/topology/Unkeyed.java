// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

/** The key of a window over all records of a stream; see {@link Stream#window}. */
public enum Unkeyed {
    /** The only key. */
    ALL
}
