// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

/** A command that is in a module of its own, with libraries that not everybody needs; found by {@link java.util.ServiceLoader}. */
public interface CommandProvider {
    /** {@code kafka}, as in {@code thalweg kafka}; or two words, {@code storm run}, for a command of another one. */
    String name();

    /** For picocli. */
    Object command();
}
