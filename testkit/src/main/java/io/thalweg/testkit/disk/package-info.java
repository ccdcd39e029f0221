// SPDX-License-Identifier: Apache-2.0
/**
 * A disk in memory that loses power, reorders what was not fsynced, fails any single call, tears writes and fills up. It stands
 * in for the default file system of a JVM, so that the code under test runs on it unchanged.
 */
@NullMarked
package io.thalweg.testkit.disk;

import org.jspecify.annotations.NullMarked;
