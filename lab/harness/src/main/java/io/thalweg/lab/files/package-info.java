// SPDX-License-Identifier: Apache-2.0
/** Inputs of jobs over files, made from a seed, and what must come out of each. */
@NullMarked
package io.thalweg.lab.files;

import org.jspecify.annotations.NullMarked;
