// SPDX-License-Identifier: Apache-2.0
/**
 * What every codec, source, sink and runner must do, as test classes to extend. They need JUnit and AssertJ, which are
 * optional dependencies of this module.
 */
@NullMarked
package io.thalweg.testkit.contract;

import org.jspecify.annotations.NullMarked;
