// SPDX-License-Identifier: Apache-2.0
/** The lab's driver of the embedded engine. */
@NullMarked
package io.thalweg.lab.thalweg;

import org.jspecify.annotations.NullMarked;
