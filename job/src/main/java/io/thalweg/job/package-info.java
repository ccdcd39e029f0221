// SPDX-License-Identifier: Apache-2.0
/** From the file that a user names to the topology it defines: compile, remember, load, define. */
@NullMarked
package io.thalweg.job;

import org.jspecify.annotations.NullMarked;
