/** The command line: one class per command. */
@NullMarked
package io.thalweg.cli;

import org.jspecify.annotations.NullMarked;
