// SPDX-License-Identifier: Apache-2.0
/**
 * The expected result of a topology: {@link io.thalweg.testkit.oracle.SequentialInterpreter} evaluates it node by node
 * over whole lists, by the written rules and with no code of any engine.
 */
@NullMarked
package io.thalweg.testkit.oracle;

import org.jspecify.annotations.NullMarked;
