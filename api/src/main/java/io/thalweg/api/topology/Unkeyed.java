// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

/** The one key of a window over all records together. */
public enum Unkeyed {
    ALL
}
