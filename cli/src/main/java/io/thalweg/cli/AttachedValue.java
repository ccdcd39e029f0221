// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Of an option whose value may be left out, and is given with an equals sign: what follows after a space is something else, such as JOB. */
final class AttachedValue implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete") // as picocli declares it
    public boolean preprocess(Stack<String> rest, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        if (!"=".equals(info.get("separator"))) {
            rest.push(""); // its value, in front of what follows
        }
        return false;
    }
}
