// SPDX-License-Identifier: Apache-2.0
/**
 * What an engine can reach at best: the loop that a person would write for a cell, with the same load, meters, copies and clock
 * reads as the drivers of engines, and nothing else.
 */
@NullMarked
package io.thalweg.lab.hand;

import org.jspecify.annotations.NullMarked;
