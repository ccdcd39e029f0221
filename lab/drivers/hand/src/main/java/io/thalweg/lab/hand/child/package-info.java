// SPDX-License-Identifier: Apache-2.0
/** What a person would write to have children in Python work: their messages and frames, and a thread for each way. */
@NullMarked
package io.thalweg.lab.hand.child;

import org.jspecify.annotations.NullMarked;
