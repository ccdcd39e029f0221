// SPDX-License-Identifier: Apache-2.0
/** What the JDK Flight Recorder saw of runs, and a page with flame graphs made from it. */
@NullMarked
package io.thalweg.lab.profile;

import org.jspecify.annotations.NullMarked;
