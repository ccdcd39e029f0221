// SPDX-License-Identifier: Apache-2.0
/** What processes and the machine do while a run goes on, once a second, in the same way for every engine. */
@NullMarked
package io.thalweg.lab.sample;

import org.jspecify.annotations.NullMarked;
