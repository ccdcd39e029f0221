// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * {@code Tether MAIN ARGUMENTS…}: runs MAIN in a process that ends with the one that started it. Standard input is the tether:
 * it ends when the other process does, however it does.
 */
final class Tether {
    private static final int CUT = 3;

    private Tether() {}

    public static void main(String[] arguments) throws Throwable {
        Thread watch = new Thread(Tether::haltWhenCut, "tether");
        watch.setDaemon(true);
        watch.start();
        try {
            Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
            main.setAccessible(true); // as with the java command, its class need not be public
            main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void haltWhenCut() {
        try {
            while (System.in.read() >= 0) {
                // nobody writes
            }
        } catch (IOException e) {
            // as good as cut
        }
        Runtime.getRuntime().halt(CUT);
    }
}
