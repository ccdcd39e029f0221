// SPDX-License-Identifier: Apache-2.0
/** Operating jobs that run on this machine: a socket that each job listens on, and what asks it. */
@NullMarked
package io.thalweg.cli.control;

import org.jspecify.annotations.NullMarked;
